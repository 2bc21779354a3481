def split(x):                    # ({h}, words, {d})
    return x.view(len(x), {h}, {d}).transpose(0, 1)

def attention(z, m, mask=None):  # who reads, what is read
    q, k, v = split(z @ W_Q), split(m @ W_K), split(m @ W_V)
    scores = q @ k.transpose(1, 2) / {d} ** 0.5
    if mask is not None:         # True: is not seen
        scores = scores.masked_fill(mask, float("-inf"))
    A = scores.softmax(-1)
    return (A @ v).transpose(0, 1).reshape(len(z), {D}) @ W_O

later = torch.ones(len(z), len(z)).triu(1).bool()
itself = attention(z, z)         # BERT, ViT
writes = attention(z, z, later)  # GPT
another = attention(z, memory)   # translation, text to image
