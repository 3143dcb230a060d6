/** A sentence of the document: what stands between backticks is code, and all of it is text. */
export function About({ text }: { text: string | undefined }) {
  return (text ?? "")
    .split(/(`[^`]+`)/)
    .map((part, index) => (/^`[^`]+`$/.test(part) ? <code key={index}>{part.slice(1, -1)}</code> : part));
}
