// Microkernels
