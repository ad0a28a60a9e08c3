import Microkernels
import OptimizedKernels
print(MicrokernelSet.selected.level, MicrokernelSet.available.map(\.level))
