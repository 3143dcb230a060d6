import type { Setting } from "./settings.ts";

export type DatabaseAddresses = {
  /** One for each host, in their order. */
  urls: readonly string[];
  /** The property that a host must have to be used. */
  session: DatabaseSession;
};

export type DatabaseSession = (typeof sessions)[number];

const sessions = ["any", "read-write", "primary"] as const;
const parts = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#@]*)([^?#]*)(?:\?([^#]*))?$/;

/**
 * Splits a URL of Postgres like libpq. Its hosts are separated by commas, each with a port of its own, and
 * `target_session_attrs` says which of them are suitable. Throws an Error that says what is expected and does not
 * repeat the URL, which may hold a password.
 */
export function readDatabaseUrl(text: string): DatabaseAddresses {
  const [, head = "", hosts = "", path = "", query = ""] = parts.exec(text) ?? [];
  const parameters = new URLSearchParams(query);
  const session = readSession(parameters.getAll("target_session_attrs"));
  if (parameters.get("host")?.includes(",") || parameters.get("port")?.includes(",")) {
    throw new Error("must name several hosts in front of its path: postgres://user:password@one:5432,two:5432/name");
  }
  const rest = path + withoutSession(query);
  const urls = hosts.split(",").map((host) => `${head}${host}${rest}`);
  if (head === "" || (urls.length > 1 && hosts.split(",").includes("")) || !urls.every((url) => URL.canParse(url))) {
    throw new Error(
      "must be a URL that begins with postgres:// or postgresql://, such as postgres://user:password@host:5432/name; several hosts are separated by commas",
    );
  }
  return { urls, session };
}

function readSession([text = "any", ...more]: readonly string[]): DatabaseSession {
  const session = sessions.find((candidate) => candidate === text);
  if (session === undefined || more.length > 0) {
    throw new Error(
      `must have target_session_attrs once, and one of ${sessions.join(", ")}: this program writes to its database`,
    );
  }
  return session;
}

/** Removes the attribute, which the driver does not know. Everything else stays unchanged. */
function withoutSession(query: string): string {
  const kept = query.split("&").filter((part) => part !== "" && !part.startsWith("target_session_attrs="));
  return kept.length === 0 ? "" : `?${kept.join("&")}`;
}

/** The same hosts and database for another user. */
export function withDatabaseUser(url: string, { user, password }: { user: string; password: string }): string {
  return url.replace(
    /^(postgres(?:ql)?:\/\/)(?:[^/?#]*@)?/,
    (_all, scheme: string) => `${scheme}${encodeURIComponent(user)}:${encodeURIComponent(password)}@`,
  );
}

/** A URL of Postgres, or null when unset. */
export function databaseUrlSetting(options: { description: string; default: string }): Setting<string | null> {
  return {
    ...options,
    read: (text) => {
      if (text === undefined) {
        return null;
      }
      readDatabaseUrl(text);
      return text;
    },
  };
}
