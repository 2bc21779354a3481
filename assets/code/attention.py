# softmax(Q Kᵀ / √d) V, all heads at once
out = A @ v                    # ({h}, {N}, {d})
