// MicrokernelsBaseline
