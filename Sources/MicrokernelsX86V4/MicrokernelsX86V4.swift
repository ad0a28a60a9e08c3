// MicrokernelsX86V4
