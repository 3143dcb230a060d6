export type CodeSample = { lang: string; label: string; source: string };
