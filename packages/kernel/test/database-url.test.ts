import { describe, expect, test } from "vitest";
import { readDatabaseUrl, withDatabaseUser } from "../src/index.ts";

describe("the URL of a database", () => {
  test.each([
    ["postgres://localhost/gateway", ["postgres://localhost/gateway"], "any"],
    ["postgresql://u:p@one/d?sslmode=require", ["postgresql://u:p@one/d?sslmode=require"], "any"],
    ["postgres:///gateway?host=/run/postgresql", ["postgres:///gateway?host=/run/postgresql"], "any"],
    ["postgres://u:a@b@one:1/d", ["postgres://u:a@b@one:1/d"], "any"],
    [
      "postgres://u:p@one:5432,two:5433,[::1]:5434/d?sslmode=require&target_session_attrs=read-write",
      [
        "postgres://u:p@one:5432/d?sslmode=require",
        "postgres://u:p@two:5433/d?sslmode=require",
        "postgres://u:p@[::1]:5434/d?sslmode=require",
      ],
      "read-write",
    ],
    ["postgres://one,two/d?target_session_attrs=primary", ["postgres://one/d", "postgres://two/d"], "primary"],
    ["postgres://one,two:6432/d", ["postgres://one/d", "postgres://two:6432/d"], "any"],
  ])("%s is read host by host", (text, urls, session) => {
    expect(readDatabaseUrl(text)).toEqual({ urls, session });
  });

  test.each([
    ["mysql://localhost/x", /^must be a URL that begins with postgres:/],
    ["postgres://u:hunter2@one:x/d", /^must be a URL that begins with postgres:/],
    ["postgres://u:hunter2@one,,two/d", /^must be a URL that begins with postgres:/],
    ["postgres://u:hunter2@one,two:x/d", /^must be a URL that begins with postgres:/],
    ["localhost", /^must be a URL that begins with postgres:/],
    ["postgres://u:hunter2@/d?host=one,two", /^must name several hosts in front of its path/],
    ["postgres://u:hunter2@one,two/d?target_session_attrs=standby", /^must have target_session_attrs once, and one of/],
    ["postgres://u:hunter2@one/d?target_session_attrs=any&target_session_attrs=any", /^must have target_session_attrs/],
  ])("%s is refused, and its password is not repeated", (text, message) => {
    expect(() => readDatabaseUrl(text)).toThrow(message);
    expect(() => readDatabaseUrl(text)).not.toThrow(/hunter2/);
  });

  test("goes to another user with all its hosts", () => {
    const user = { user: "console", password: "a/b" };
    expect(withDatabaseUser("postgres://u:p@one:1,two:2/d?sslmode=require", user)).toBe(
      "postgres://console:a%2Fb@one:1,two:2/d?sslmode=require",
    );
    expect(withDatabaseUser("postgres://one/d", user)).toBe("postgres://console:a%2Fb@one/d");
  });
});
