import type { Random } from "../random.ts";

/**
 * Strings that occur in all personal data of a storm, and nowhere else. Such a string anywhere else shows that personal
 * data was stored or sent in the clear.
 */
export const secrets = ["77-4071", "Zyzzyvason", "Quagmire Lane 4071", "ZQ40714071"] as const;

const [accountDigits, familyName, address, number] = secrets;

/** Endings by which the simulated rail decides: refused, returned, silent, and settled. */
const endings = ["0001", "0002", "0003", "2718"] as const;

/** An account number for GBP: a sort code and a number, of which four digits may be shown. */
export function accountNumberOf(random: Random): string {
  return `4031${accountDigits}${random.pick(endings) ?? ""}`;
}

export const person = {
  subject: { givenName: "Ada", familyName, birthDate: "1990-12-31", country: "DE", address },
  documents: [{ type: "passport" as const, country: "DE", number, expiresOn: "2096-01-31" }],
};
