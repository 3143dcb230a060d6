import { Writable } from "node:stream";

/** Collects the logs of a test and the secrets that its clients see, and finds the secrets that got into a log. */
export interface SecretWatch {
  /** The stream that a logger writes to. */
  destination: Writable;
  lines: readonly string[];
  /** Returns the secret, so that it can be noted where it is read. */
  note<Secret extends string>(secret: Secret): Secret;
  count(): number;
  /** The secrets in `text`. */
  findIn(text: string): string[];
  /** The lines that hold a secret, with the secret. */
  findLeaks(): string[];
}

/** Shorter secrets occur in other words by chance. */
const minLength = 8;

export function createSecretWatch(): SecretWatch {
  const lines: string[] = [];
  const secrets = new Set<string>();
  const findIn = (text: string): string[] => [...secrets].filter((secret) => text.includes(secret));
  return {
    lines,
    destination: new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        lines.push(chunk.toString());
        done();
      },
    }),
    note: (secret) => {
      if (secret.length >= minLength) {
        secrets.add(secret);
      }
      return secret;
    },
    count: () => secrets.size,
    findIn,
    findLeaks: () => {
      // Thousands of lines and secrets: one search through all of the log for each is a fraction of one for each line.
      const leaked = findIn(lines.join(""));
      return lines.flatMap((line) =>
        leaked.filter((secret) => line.includes(secret)).map((secret) => `${secret} in ${line}`),
      );
    },
  };
}
