/** A list of what has no spaces: an array of so many takes a line for each. */
export const words = ({ raw }: TemplateStringsArray): string[] => raw.join("").trim().split(/\s+/);
