/**
 * Refuses empty secrets: any sender can sign with an empty key, so a forgotten setting must stop here. The message
 * holds no secret.
 */
export function requireSecrets(secrets: readonly string[]): void {
  if (secrets.length === 0 || !secrets.every((secret) => typeof secret === "string" && secret.trim())) {
    throw new Error("The webhook secret is missing.");
  }
}
