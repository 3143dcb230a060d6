import { authOpenapi } from "@gateway/contract";
import { describe, expect, test } from "vitest";
import { paths, providerRoutes } from "../src/provider/routes.ts";

/** Steps of the browser's way, whose addresses only our own answers name. */
const steps = [`${paths.authorize}/:uid`, `${paths.endSession}/confirm`, `${paths.endSession}/success`];

describe("the routes of the protocol", () => {
  test("are the operations of the document", () => {
    const served = [
      ...providerRoutes.filter(({ path }) => !steps.includes(path)),
      { path: paths.userinfo, methods: ["get", "post"] },
    ].flatMap(({ path, methods }) => methods.map((method) => `${method} ${path}`));
    const documented = Object.entries(authOpenapi().paths ?? {}).flatMap(([path, item]) =>
      Object.keys(item ?? {})
        .filter((key) => ["get", "post", "put", "patch", "delete"].includes(key))
        .map((method) => `${method} ${path}`),
    );
    expect(served.toSorted()).toEqual(documented.toSorted());
  });
});
