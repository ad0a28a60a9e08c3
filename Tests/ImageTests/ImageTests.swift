// Image
