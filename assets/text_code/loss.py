class EncoderDecoder(nn.Module):
    def forward(self, x, y):     # ids, (S + 1,) and (T,)
        m = D ** 0.5 * E[x] + P[:len(x)]
        for block in encoder: m = block(m)  # the memory, (S + 1, {D})
        z = D ** 0.5 * E_y[y] + P_y[:len(y)]
        later = torch.ones(len(y), len(y)).triu(1).bool()
        for block in decoder: z = block(z, m, later)
        return z @ W_g.T + b_g   # (T, V)

# all correct words go in; the next ones should come out
logits = EncoderDecoder()(ids, y)
wanted = torch.cat([y[1:], torch.tensor([EOS])])
loss = F.cross_entropy(logits, wanted, label_smoothing=0.1)
plain = F.cross_entropy(logits, wanted)
perplexity = plain.exp()
