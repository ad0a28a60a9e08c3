// BundledModels
