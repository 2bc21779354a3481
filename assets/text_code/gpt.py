text = torch.cat([torch.tensor([BOS]), ids[:-1]])
logits = language_model(text)    # (S + 1, V)
p = (logits[-1] / 0.8).softmax(-1)   # temperature 0.8
text = torch.cat([text, torch.multinomial(p, 1)])
# the loss of every next word, at once
loss = F.cross_entropy(logits[:-1], text[1:len(logits)])
