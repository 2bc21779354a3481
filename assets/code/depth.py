z = zs[0]
for layer in blocks:           # {L} of them
    z = layer(z)               # ({N}, {D}) each time
    zs.append(z)
