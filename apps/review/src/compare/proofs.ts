/** The parameters that authenticate a token request (RFC 6749, 2.3.1 and 4.1.3; RFC 7636, 4.3 and 4.5). */
const proofs: readonly string[] = [
  ...["code_challenge", "code_challenge_method", "code_verifier"],
  ...["redirect_uri", "client_secret", "client_assertion"],
];

/** Whether a place ends in such a parameter: `query code_challenge`, `body.code_verifier`. */
export function isProof(at: string): boolean {
  return proofs.includes(at.split(/[ .]/).at(-1) ?? "");
}
