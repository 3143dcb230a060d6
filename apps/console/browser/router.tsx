import { createRootRoute, createRoute, createRouter, lazyRouteComponent, type AnyRoute } from "@tanstack/react-router";
import { Failure, NoSuchScreen } from "./parts/states.tsx";
import { Shell } from "./shell/shell.tsx";

/** Each screen is a part of its own, loaded when one goes there. */
export function createConsoleRouter() {
  const root = createRootRoute({
    component: Shell,
    notFoundComponent: NoSuchScreen,
    errorComponent: ({ error }) => (
      <main className="alone">
        <Failure error={error} retry={() => location.reload()} />
      </main>
    ),
  });
  const screen = (path: string, component: ReturnType<typeof lazyRouteComponent>): AnyRoute =>
    createRoute({ getParentRoute: () => root, path, component }) as unknown as AnyRoute;
  return createRouter({
    routeTree: root.addChildren([
      screen(
        "/",
        lazyRouteComponent(() => import("./screens/overview/screen.tsx"), "OverviewScreen"),
      ),
      screen(
        "/inbox",
        lazyRouteComponent(() => import("./screens/inbox/screen.tsx"), "InboxScreen"),
      ),
      screen(
        "/wallets",
        lazyRouteComponent(() => import("./screens/wallets/screen.tsx"), "WalletsScreen"),
      ),
      screen(
        "/payments",
        lazyRouteComponent(() => import("./screens/payments/screen.tsx"), "PaymentsScreen"),
      ),
      screen(
        "/transfers",
        lazyRouteComponent(() => import("./screens/transfers/screen.tsx"), "TransfersScreen"),
      ),
      screen(
        "/orders",
        lazyRouteComponent(() => import("./screens/orders/screen.tsx"), "OrdersScreen"),
      ),
      screen(
        "/ledger",
        lazyRouteComponent(() => import("./screens/ledger/screen.tsx"), "LedgerScreen"),
      ),
      screen(
        "/logs",
        lazyRouteComponent(() => import("./screens/logs/screen.tsx"), "LogsScreen"),
      ),
      screen(
        "/usage",
        lazyRouteComponent(() => import("./screens/usage/screen.tsx"), "UsageScreen"),
      ),
      screen(
        "/webhooks",
        lazyRouteComponent(() => import("./screens/webhooks/screen.tsx"), "WebhooksScreen"),
      ),
      screen(
        "/deliveries",
        lazyRouteComponent(() => import("./screens/deliveries/screen.tsx"), "DeliveriesScreen"),
      ),
      screen(
        "/events",
        lazyRouteComponent(() => import("./screens/events/screen.tsx"), "EventsScreen"),
      ),
      screen(
        "/keys",
        lazyRouteComponent(() => import("./screens/keys/screen.tsx"), "KeysScreen"),
      ),
      screen(
        "/applications",
        lazyRouteComponent(() => import("./screens/applications/screen.tsx"), "ApplicationsScreen"),
      ),
      screen(
        "/sandbox",
        lazyRouteComponent(() => import("./screens/sandbox/screen.tsx"), "SandboxScreen"),
      ),
      screen(
        "/try",
        lazyRouteComponent(() => import("./screens/try/screen.tsx"), "TryIndexScreen"),
      ),
      screen(
        "/try/$operationId",
        lazyRouteComponent(() => import("./screens/try/screen.tsx"), "TryScreen"),
      ),
      screen(
        "/people",
        lazyRouteComponent(() => import("./screens/people/screen.tsx"), "PeopleScreen"),
      ),
      screen(
        "/settings",
        lazyRouteComponent(() => import("./screens/settings/screen.tsx"), "SettingsScreen"),
      ),
    ]),
    defaultPreload: "intent",
    scrollRestoration: true,
    // Texts as they are, so that addresses read well and a number in one stays a text.
    parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
    stringifySearch: (search) => {
      const kept = Object.entries(search as Record<string, string | undefined>).filter(
        ([, value]) => value !== undefined,
      );
      const text = new URLSearchParams(kept as [string, string][]).toString();
      return text && `?${text}`;
    },
  });
}
