/** The issuer of the tokens of Secrets. */
export const legacyIssuer = "kubernetes/serviceaccount";
