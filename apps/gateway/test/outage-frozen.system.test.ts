import { test } from "vitest";
import { expectOutageSurvived } from "./support/database-outage.ts";

test("the database frozen: 503 and not ready, then all is well without a restart, and no revoked key gets in", () =>
  expectOutageSurvived({ begin: (postgres) => postgres.freeze(), end: (postgres) => postgres.thaw() }));
