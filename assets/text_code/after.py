def split(x):                    # ({h}, words, {d})
    return x.view(len(x), {h}, {d}).transpose(0, 1)

def attention(z, m):             # who reads, what is read
    q, k, v = split(z @ W_Q), split(m @ W_K), split(m @ W_V)
    A = (q @ k.transpose(1, 2) / {d} ** 0.5).softmax(-1)
    return (A @ v).transpose(0, 1).reshape(len(z), {D}) @ W_O

itself = attention(z, z)         # BERT, GPT, ViT
another = attention(z, memory)   # translation, text to image
