y = norm(z[:2])                # class, distillation, (2, {D})
each = torch.cat([head(y[:1]), head_dist(y[1:])])
logits = each.mean(dim=0, keepdim=True)  # (1, {classes})
p = logits.softmax(dim=-1)
