import { expect, test } from "vitest";
import { trustedProxiesSetting } from "../src/index.ts";

test.each(["10.0.0.1", "10.0.0.0/8", "2001:db8::/32", "::1", "10.0.0.0/1, 192.0.2.1"])("%s is taken", (text) => {
  expect(trustedProxiesSetting.read(text)).toEqual(text.split(", "));
});

test.each(["10.0.0.0/0", "10.0.0.0/33", "::/0", "::/129", "10.0.0", "proxy.example.com", "10.0.0.0/8/8", "10.0.0.0/x"])(
  "%s is a fault that names it",
  (text) => {
    expect(() => trustedProxiesSetting.read(text)).toThrow(text);
  },
);
