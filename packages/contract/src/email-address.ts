import document from "./generated/openapi.json" with { type: "json" };

const { pattern, maxLength } = document.components.schemas.EmailAddress;
const grammar = new RegExp(pattern, "u");

/** Applies the document's rule for invitations to addresses at sign-up and to those of operators. */
export function isEmailAddress(text: string): boolean {
  return text.length <= maxLength && grammar.test(text);
}
