import type { Random } from "../random.ts";

/**
 * In all that people say of themselves in a storm, and nowhere else: where it is found, it was kept or told in the
 * clear.
 */
export const secrets = ["77-4071", "Zyzzyvason", "Quagmire Lane 4071", "ZQ40714071"] as const;

const [accountDigits, familyName, address, number] = secrets;

/** What the simulated rail goes by: refused, returned, silent, and settled. */
const endings = ["0001", "0002", "0003", "2718"] as const;

/** Of GBP: a sort code and an account number, of which four digits may be shown. */
export function accountNumberOf(random: Random): string {
  return `4031${accountDigits}${random.pick(endings) ?? ""}`;
}

export const person = {
  subject: { givenName: "Ada", familyName, birthDate: "1990-12-31", country: "DE", address },
  documents: [{ type: "passport" as const, country: "DE", number, expiresOn: "2096-01-31" }],
};
