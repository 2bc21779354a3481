p = torch.tensor([[0.7, 0.2, 0.1]])  # as if there were three classes
true = torch.tensor([1])
loss = -p[0, true].log()       # −log Q(true)
slope = p - F.one_hot(true, 3)  # ∂L/∂logits
