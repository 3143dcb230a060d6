import type { ItemOf } from "./calls.ts";

/** How the account numbers of a currency are written, as the document's schema has it. */
export const accountNumberHints: Readonly<Record<ItemOf<"listCounterparties">["currency"], string>> = {
  EUR: "An IBAN, such as DE89 3704 0044 0532 0130 00.",
  USD: "Routing number, hyphen, account number: 021000021-1234567890.",
  GBP: "Sort code, hyphen, account number: 200000-55779911.",
  JPY: "Bank, branch and account, with hyphens: 0001-001-1234567.",
};

/** The account number as it is sent: people copy it in groups, from invoices with invisible spaces too. */
export function writtenAccountNumber(typed: string): string {
  return typed.replaceAll(/[\s\u200b\u2060]/g, "").toUpperCase();
}

/** The note at each verification of a counterparty. It may belong to a person with another name (docs/adr/0076). */
export const verificationCaveat = {
  ofChoice: "It is not compared with the name: choose the verification of the person who is paid.",
  ofGiven: "It is not compared with the name of the counterparty.",
} as const;
