import { createRootRoute, createRoute, createRouter, lazyRouteComponent, type AnyRoute } from "@tanstack/react-router";
import type { ComponentType } from "react";
import { whenOnline } from "./data/when-online.ts";
import { FailedScreen, Failure, NoSuchScreen, ScreenOnItsWay } from "./parts/shown/states.tsx";
import type { ScreenPath } from "./parts/page/destination.ts";
import { Shell } from "./shell/shell.tsx";

/** Each screen is a part of its own, loaded when the user goes there. */
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
  const screen = <Module extends Record<string, ComponentType>>(
    path: ScreenPath | "/try/$operationId",
    load: () => Promise<Module>,
    name: keyof Module & string,
  ): AnyRoute => {
    const component = lazyRouteComponent(() => whenOnline(load), name);
    // The exact types would name the file of each screen here. Links know the screens by `Destination`.
    return createRoute({ getParentRoute: () => root, path, component }) as unknown as AnyRoute;
  };
  return createRouter({
    routeTree: root.addChildren([
      screen("/", () => import("./screens/overview/screen.tsx"), "OverviewScreen"),
      screen("/inbox", () => import("./screens/inbox/screen.tsx"), "InboxScreen"),
      screen("/wallets", () => import("./screens/wallets/screen.tsx"), "WalletsScreen"),
      screen("/payments", () => import("./screens/payments/screen.tsx"), "PaymentsScreen"),
      screen("/counterparties", () => import("./screens/counterparties/screen.tsx"), "CounterpartiesScreen"),
      screen("/transfers", () => import("./screens/transfers/screen.tsx"), "TransfersScreen"),
      screen("/orders", () => import("./screens/orders/screen.tsx"), "OrdersScreen"),
      screen("/ledger", () => import("./screens/ledger/screen.tsx"), "LedgerScreen"),
      screen("/logs", () => import("./screens/logs/screen.tsx"), "LogsScreen"),
      screen("/usage", () => import("./screens/usage/screen.tsx"), "UsageScreen"),
      screen("/webhooks", () => import("./screens/webhooks/screen.tsx"), "WebhooksScreen"),
      screen("/deliveries", () => import("./screens/deliveries/screen.tsx"), "DeliveriesScreen"),
      screen("/events", () => import("./screens/events/screen.tsx"), "EventsScreen"),
      screen("/keys", () => import("./screens/keys/screen.tsx"), "KeysScreen"),
      screen("/applications", () => import("./screens/applications/screen.tsx"), "ApplicationsScreen"),
      screen("/sandbox", () => import("./screens/sandbox/screen.tsx"), "SandboxScreen"),
      screen("/try", () => import("./screens/try/screen.tsx"), "TryIndexScreen"),
      screen("/try/$operationId", () => import("./screens/try/screen.tsx"), "TryScreen"),
      screen("/people", () => import("./screens/people/screen.tsx"), "PeopleScreen"),
      screen("/settings", () => import("./screens/settings/screen.tsx"), "SettingsScreen"),
    ]),
    defaultPreload: "intent",
    defaultPendingComponent: ScreenOnItsWay,
    defaultErrorComponent: FailedScreen,
    scrollRestoration: true,
    // Values stay strings, so that addresses are readable and a number is not converted.
    parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
    // The values were parsed as strings, so they are written as strings.
    stringifySearch: (search) => {
      const kept = Object.entries<string | undefined>(search).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, value]],
      );
      const text = new URLSearchParams(kept).toString();
      return text && `?${text}`;
    },
  });
}
