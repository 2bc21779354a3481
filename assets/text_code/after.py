def attention(z, m):             # who reads, what is read
    q, k, v = z @ W_Q, m @ W_K, m @ W_V
    return (q @ k.T / {D} ** 0.5).softmax(-1) @ v

itself = attention(z, z)         # BERT, GPT, ViT
another = attention(z, memory)   # translation, text to image
