class Head(nn.Module):
    # __init__: self.norm, self.classifier

    def forward(self, z):
        """How much speaks for each class.

        z        (B, {N}, {D})
        returns  (B, {N}, {classes})  #!
        """
        y = self.norm(z)             # every token
        y = y[:, 0]                  # the class token, (B, {D})
        return self.classifier(y)
#?
        returns  (B, {classes})  #=
        returns  (B, {D})
        returns  ({classes})
