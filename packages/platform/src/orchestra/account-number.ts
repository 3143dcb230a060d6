import type { Schemas } from "@gateway/contract";

export type CounterpartyCurrency = Schemas["CounterpartyCreate"]["currency"];

/** The length of the IBANs of each country in SEPA (the registry of ISO 13616; EPC409-09). */
const ibanLengths: Readonly<Record<string, number>> = {
  AD: 24,
  AL: 28,
  AT: 20,
  BE: 16,
  BG: 22,
  CH: 21,
  CY: 28,
  CZ: 24,
  DE: 22,
  DK: 18,
  EE: 20,
  ES: 24,
  FI: 18,
  FR: 27,
  GB: 22,
  GI: 23,
  GR: 27,
  HR: 21,
  HU: 28,
  IE: 22,
  IS: 26,
  IT: 27,
  LI: 21,
  LT: 20,
  LU: 20,
  LV: 21,
  MC: 27,
  MD: 24,
  ME: 22,
  MK: 19,
  MT: 31,
  NL: 18,
  NO: 15,
  PL: 28,
  PT: 25,
  RO: 24,
  RS: 22,
  SE: 24,
  SI: 19,
  SK: 24,
  SM: 27,
  VA: 22,
};

const rules: Readonly<Record<CounterpartyCurrency, (accountNumber: string) => string | null>> = {
  EUR: findIbanProblem,
  GBP: (text) =>
    /^\d{6}-\d{8}$/.test(text)
      ? null
      : "must be a sort code and an account number when the currency is GBP: 6 and 8 digits, such as 200000-55779911",
  USD: findUsProblem,
  JPY: (text) =>
    /^\d{4}-\d{3}-\d{7}$/.test(text)
      ? null
      : "must be a bank code, a branch code and an account number when the currency is JPY: 4, 3 and 7 digits, such as 0001-001-1234567",
};

/** Removes the spaces that people and PDFs add, and capitalizes an IBAN. This form is judged, stored and counted. */
export function normalizeAccountNumber(currency: CounterpartyCurrency, text: string): string {
  const together = text.replaceAll(/[ \u00A0]/g, "");
  return currency === "EUR" ? together.toUpperCase() : together;
}

/** The fault of an account number, without any of its characters, or null. */
export function findAccountNumberProblem(currency: CounterpartyCurrency, accountNumber: string): string | null {
  return rules[currency](accountNumber);
}

function findIbanProblem(iban: string): string | null {
  const length = ibanLengths[iban.slice(0, 2)];
  if (length === undefined || !/^[A-Z]{2}\d{2}[A-Z\d]+$/.test(iban)) {
    return "must be an IBAN of a SEPA country when the currency is EUR, such as DE89370400440532013000";
  }
  if (iban.length !== length) {
    return "must have as many characters as the IBANs of its country have; is one missing or too many?";
  }
  return hasIbanCheckDigits(iban) ? null : "must have the check digits of its IBAN; is a character mistyped?";
}

/** ISO 7064, MOD 97-10: check digits are 02 to 98. */
function hasIbanCheckDigits(iban: string): boolean {
  const digits = (iban.slice(4) + iban.slice(0, 4)).replaceAll(/[A-Z]/g, (letter) =>
    String(Number.parseInt(letter, 36)),
  );
  return !["00", "01", "99"].includes(iban.slice(2, 4)) && BigInt(digits) % 97n === 1n;
}

function findUsProblem(text: string): string | null {
  if (!/^\d{9}-\d{5,17}$/.test(text)) {
    return "must be a routing number and an account number when the currency is USD: 9 and 5 to 17 digits, such as 021000021-1234567890";
  }
  return hasRoutingCheckDigit(text)
    ? null
    : "must begin with a routing number whose check digit fits; is a digit mistyped?";
}

/** American Bankers Association: weights 3, 7, 1. It begins with the two digits of a Federal Reserve district. */
function hasRoutingCheckDigit(text: string): boolean {
  const sum = Array.from(text.slice(0, 9), Number).reduce(
    (total, digit, index) => total + digit * ([3, 7, 1][index % 3] ?? 0),
    0,
  );
  return sum % 10 === 0 && /^(?:0[1-9]|1[0-2]|2[1-9]|3[0-2]|6[1-9]|7[0-2]|80)/.test(text);
}
