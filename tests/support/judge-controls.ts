import { operations, type OperationPolicy } from "@gateway/contract";
import { includesPermission, permissionOfRole, roleFor, type Role } from "@gateway/contract/permissions";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import type { ConsoleHands } from "./console-hands.ts";

const byId: Readonly<Record<string, OperationPolicy>> = operations;

/** Collects the requests that change something. */
export function watchSent(page: Page): string[] {
  const sent: string[] = [];
  page.on("request", (request) => request.method() !== "GET" && sent.push(`${request.method()} ${request.url()}`));
  return sent;
}

/**
 * Presses every control of the paths that is beyond the role. Fails unless each is disabled, names the role, opens
 * nothing and sends nothing. Returns the operations of all controls, and those that were beyond the role.
 */
export async function judgeControls(
  { page, hands }: { page: Page; hands: ConsoleHands },
  role: Role,
  paths: readonly string[],
): Promise<{ met: Set<string>; refused: Set<string> }> {
  const [met, refused] = [new Set<string>(), new Set<string>()];
  const sent = watchSent(page);
  for (const path of paths) {
    await hands.go(path);
    await page.waitForLoadState("networkidle");
    for (const button of await page.locator("button[data-operation]").all()) {
      const operationId = (await button.getAttribute("data-operation")) ?? "";
      const permission = byId[operationId]?.permission ?? "admin";
      const title = await button.getAttribute("title");
      met.add(operationId);
      if (includesPermission(permissionOfRole[role], permission)) {
        expect(title ?? "", `${operationId} on ${path}`).not.toContain("Needs the role");
        continue;
      }
      refused.add(operationId);
      expect({ title, disabled: await button.getAttribute("aria-disabled") }, `${operationId} on ${path}`).toEqual({
        title: `Needs the role ${roleFor(permission)}. You are ${role}.`,
        disabled: "true",
      });
      await button.click({ force: true });
      expect(await hands.dialog().count(), `${operationId} on ${path}`).toBe(0);
    }
  }
  expect(sent).toEqual([]);
  return { met, refused };
}
