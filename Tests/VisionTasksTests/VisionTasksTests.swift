// VisionTasks
