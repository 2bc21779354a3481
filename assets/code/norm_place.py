def sublayer(x):               # here the MLP
    return block.fc2(act(block.fc1(x)))

pre = sublayer(block.ln2(z)) + z   # the ViT
post = block.ln2(sublayer(z) + z)  # 2017
