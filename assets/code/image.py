x = pixels / 255               # ({C}, {H}, {W})
mean = mean.view({C}, 1, 1)    # per channel
std = std.view({C}, 1, 1)
x = (x - mean) / std           # what the model sees
