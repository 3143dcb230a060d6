/** One environment variable: its purpose, its parser and its default. */
export type Setting<T> = {
  /** Shown in the README's table. */
  description: string;
  /** Shown in the README's table: words for the behaviour without the variable. */
  default: string;
  /** A value under this name is refused with the current name, because it would otherwise be ignored silently. */
  formerName?: string;
  /** `text` is undefined when the variable is unset or empty. Throws an Error that says what is expected. */
  read(text: string | undefined): T;
};

export type Settings = Record<string, Setting<unknown>>;
export type SettingValues<S extends Settings> = { readonly [Name in keyof S]: ReturnType<S[Name]["read"]> };

/** All faults of the environment in one message, so that no program starts with half a configuration. */
export class ConfigurationError extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(
      `The configuration has ${faults.length === 1 ? "a fault" : `${faults.length} faults`}:\n${faults.map((fault) => `  - ${fault}`).join("\n")}`,
    );
    this.name = "ConfigurationError";
    this.faults = faults;
  }
}

/**
 * Reads every setting, then lets `check` object to combinations. All faults arrive together as a ConfigurationError.
 * `check` sees only values that could be read.
 */
export function readSettings<S extends Settings>(
  settings: S,
  env: Readonly<Record<string, string | undefined>>,
  check: (values: Partial<SettingValues<S>>) => string[] = () => [],
): SettingValues<S> {
  const faults: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, setting] of Object.entries(settings)) {
    if (setting.formerName !== undefined && env[setting.formerName]) {
      faults.push(`${setting.formerName} is called ${name} now: set that one instead`);
    }
    try {
      values[name] = setting.read(env[name] === "" ? undefined : env[name]);
    } catch (error) {
      faults.push(`${name} ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  // Each value came from the `read` of its own setting, as SettingValues says.
  const typed = values as SettingValues<S>;
  faults.push(...check(typed));
  if (faults.length > 0) {
    throw new ConfigurationError(faults);
  }
  return Object.freeze(typed);
}

export function integerSetting(options: {
  description: string;
  default: number;
  min: number;
  max: number;
}): Setting<number> {
  return {
    description: options.description,
    default: String(options.default),
    read: (text) => {
      const value = text === undefined ? options.default : Number(text);
      if ((text !== undefined && !/^\d{1,15}$/.test(text)) || value < options.min || value > options.max) {
        throw new Error(`must be a whole number from ${options.min} to ${options.max}, not ${quote(text)}`);
      }
      return value;
    },
  };
}

export function booleanSetting(options: { description: string; default: boolean }): Setting<boolean> {
  return {
    description: options.description,
    default: String(options.default),
    read: (text) => {
      if (text !== undefined && text !== "true" && text !== "false") {
        throw new Error(`must be true or false, not ${quote(text)}`);
      }
      return text === undefined ? options.default : text === "true";
    },
  };
}

export function choiceSetting<const T extends string>(options: {
  description: string;
  default: T;
  choices: readonly T[];
}): Setting<T> {
  return {
    description: `${options.description}: ${options.choices.join(", ")}`,
    default: options.default,
    read: (text) => {
      const choice = options.choices.find((candidate) => candidate === (text ?? options.default));
      if (choice === undefined) {
        throw new Error(`must be one of ${options.choices.join(", ")}, not ${quote(text)}`);
      }
      return choice;
    },
  };
}

export function textSetting(options: { description: string; default: string }): Setting<string> {
  return { ...options, read: (text) => text ?? options.default };
}

/**
 * A URL with one of the given schemes, or null when unset. The value may hold a password, so a fault never repeats it.
 */
export function urlSetting(options: {
  description: string;
  default: string;
  schemes: readonly string[];
}): Setting<string | null> {
  return {
    description: options.description,
    default: options.default,
    read: (text) => {
      if (text === undefined) {
        return null;
      }
      if (!URL.canParse(text) || !options.schemes.includes(new URL(text).protocol.slice(0, -1))) {
        throw new Error(
          `must be a URL that begins with ${options.schemes.map((scheme) => `${scheme}://`).join(" or ")}`,
        );
      }
      return text;
    },
  };
}

/**
 * The origin of an HTTP server and no more, or null when unset. Only its normal form is accepted (RFC 6454, 6.2),
 * because it is compared as a string, like the issuer and the audience of tokens.
 */
export function originSetting(options: { description: string; default: string }): Setting<string | null> {
  const url = urlSetting({ ...options, schemes: ["https", "http"] });
  return {
    ...url,
    read: (text) => {
      const value = url.read(text);
      if (value !== null && new URL(value).origin !== value) {
        throw new Error(
          "must be an origin alone, such as https://api.example.com: lower case, no path, no slash at the end, no default port",
        );
      }
      return value;
    },
  };
}

/** A comma-separated list. Every entry must satisfy `isValid`. `suggest` completes the fault of one that does not. */
export function listSetting(options: {
  description: string;
  default: string;
  entry: string;
  isValid(entry: string): boolean;
  suggest?(entry: string): string;
}): Setting<readonly string[]> {
  return {
    description: options.description,
    default: options.default,
    read: (text) => {
      const entries = (text ?? "")
        .split(",")
        .map((entry) => entry.trim())
        .filter((entry) => entry !== "");
      const bad = entries.find((entry) => !options.isValid(entry));
      if (bad !== undefined) {
        throw new Error(
          `must be a comma-separated list of ${options.entry}; ${quote(bad)} is not one${options.suggest?.(bad) ?? ""}`,
        );
      }
      return entries;
    },
  };
}

/** Encryption keys: 32 random bytes each, in base64. A fault never repeats them. */
export function encryptionKeysSetting(options: {
  description: string;
  default: string;
}): Setting<readonly Buffer[] | null> {
  return {
    ...options,
    read: (text) => {
      if (text === undefined) {
        return null;
      }
      const keys = text.split(",").map((part) => Buffer.from(part.trim(), "base64"));
      if (keys.some((key) => key.length !== 32)) {
        throw new Error(
          "must be 32 random bytes in base64 (several keys: comma-separated, the newest first); make one with: openssl rand -base64 32",
        );
      }
      if (keys.some((key) => new Set(key).size < 12)) {
        throw new Error("is too weak: its bytes repeat; make one with: openssl rand -base64 32");
      }
      return keys;
    },
  };
}

/** Attackers can guess it like a password, and people never type it. */
const minSecretLength = 32;
const minSecretCharacters = 12;

/** A secret that authenticates two of our programs to each other, or null when unset. */
export function secretSetting(options: { description: string; default: string }): Setting<string | null> {
  return {
    ...options,
    read: (text) => {
      if (text !== undefined && (text.length < minSecretLength || new Set(text).size < minSecretCharacters)) {
        throw new Error("is too weak; make one with: openssl rand -base64 32");
      }
      return text ?? null;
    },
  };
}

function quote(text: string | undefined): string {
  return JSON.stringify(text ?? "");
}
