// MicrokernelsX86V3
