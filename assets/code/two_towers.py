f = F.normalize(images, dim=1)  # image tower, (B, features)
g = F.normalize(texts, dim=1)   # text tower, (B, features)
S = f @ g.T / tau              # logits, (B, B)
own = torch.arange(len(S))     # image i has text i
rows = F.cross_entropy(S, own)     # each image finds its text
columns = F.cross_entropy(S.T, own)  # and each text its image
loss = (rows + columns) / 2    # CLIP
yes = 2 * torch.eye(len(S)) - 1
pairs = F.logsigmoid(yes * (S + bias))
siglip = -pairs.sum() / len(S)  # SigLIP: each pair alone
