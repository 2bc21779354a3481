wanted = torch.cat([y[1:], torch.tensor([EOS])])
loss = F.cross_entropy(logits, wanted, label_smoothing=0.1)
plain = F.cross_entropy(logits, wanted)
perplexity = plain.exp()
