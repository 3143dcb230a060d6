import document from "./generated/openapi.json" with { type: "json" };

const { pattern, maxLength } = document.components.schemas.EmailAddress;
const grammar = new RegExp(pattern, "u");

/** What is an e-mail address: at sign-up and for operators as in an invitation, where the document says it. */
export function isEmailAddress(text: string): boolean {
  return text.length <= maxLength && grammar.test(text);
}
