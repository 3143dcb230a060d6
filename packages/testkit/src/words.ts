/** The words of a template string. An array of that many strings would take a line for each. */
export const words = ({ raw }: TemplateStringsArray): string[] => raw.join("").trim().split(/\s+/);
