q = split(x1 @ W_Q)              # of the decoder
k = split(memory @ W_K)          # of the encoder
v = split(memory @ W_V)
A = (q @ k.transpose(1, 2) / {d} ** 0.5).softmax(-1)
out = (A @ v).transpose(0, 1).reshape(len(y), {D})
x2 = block.norm2(x1 + out @ W_O)
align = A.mean(0).argmax(-1)     # a source word each
