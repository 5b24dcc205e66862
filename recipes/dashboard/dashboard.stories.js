// Stories in Storybook's format, with the parameters of its MSW addon: each has its own cluster in the page.
import { createCluster } from "kubedouble";
import { kubernetesHandlers } from "kubedouble/msw";
import { closeWatch, throttle, watchGone } from "kubedouble/scenarios";
import { showPods } from "./dashboard.js";

export default {
  title: "Dashboard",
  render: (_args, { abortSignal }) => {
    const element = document.createElement("main");
    void showPods(element, abortSignal);
    return element;
  },
};

const pod = (name) => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name, namespace: "shop" },
  spec: { containers: [{ name: "main", image: "busybox" }], terminationGracePeriodSeconds: 0 },
});
const shop = { apiVersion: "v1", kind: "Namespace", metadata: { name: "shop" } };

/** A story about a cluster; `play` receives the cluster and what the story shows. */
function story(options, play, faults = []) {
  const cluster = createCluster(options);
  for (const fault of faults) cluster.inject(fault);
  return {
    parameters: { msw: { handlers: kubernetesHandlers(cluster, "/cluster") } },
    play: async ({ canvasElement }) => {
      await play({ cluster, shows: (text) => shows(canvasElement, text), canvasElement });
      cluster.faults.check();
    },
  };
}

/** Resolves when the element contains the text. */
function shows(element, text) {
  return new Promise((resolve) => {
    const observer = new MutationObserver(look);
    function look() {
      if (!element.textContent.includes(text)) return;
      observer.disconnect();
      resolve();
    }
    observer.observe(element, { childList: true, subtree: true, characterData: true });
    look();
  });
}

export const Empty = story({ objects: [shop] }, ({ shows }) => shows("No pods"));

export const TwoPods = story({ objects: [shop, pod("front"), pod("back")] }, async ({ shows }) => {
  await shows("2 pods");
  await shows("frontPending");
});

export const FollowsChanges = story({ objects: [shop, pod("front")] }, async ({ cluster, shows }) => {
  await shows("1 pods");
  await cluster.create(pod("back"));
  await shows("backPending");
  await cluster.patch(
    "v1",
    "Pod",
    "back",
    { status: { phase: "Running" } },
    { namespace: "shop", subresource: "status" },
  );
  await shows("backRunning");
  await cluster.delete("v1", "Pod", "front", { namespace: "shop" });
  await shows("1 pods");
});

export const Deletes = story({ objects: [shop, pod("front")] }, async ({ cluster, shows, canvasElement }) => {
  await shows("1 pods");
  canvasElement.querySelector("button").click();
  await shows("No pods");
  const { items } = await cluster.list("v1", "Pod", { namespace: "shop" });
  if (items.length > 0) throw new Error("the pod still exists");
});

export const Forbidden = story({ objects: [shop], authorizationMode: "RBAC" }, ({ shows }) =>
  shows('pods is forbidden: User "system:anonymous" cannot list resource "pods"'),
);

export const Throttled = story(
  { objects: [shop, pod("front")] },
  async ({ shows }) => {
    await shows("Too many requests, please try again later.");
    await shows("1 pods");
  },
  [throttle({ verb: "list", resource: "pods", retryAfter: 1 })],
);

export const WatchEnds = story(
  { objects: [shop, pod("front")] },
  async ({ cluster, shows }) => {
    await shows("1 pods");
    await cluster.create(pod("back"));
    await shows("2 pods");
  },
  [closeWatch({ times: 3 })],
);

export const WatchExpires = story(
  { objects: [shop, pod("front")] },
  async ({ cluster, shows }) => {
    await shows("1 pods");
    await cluster.create(pod("back"));
    await shows("2 pods");
    await cluster.delete("v1", "Pod", "front", { namespace: "shop" });
    await shows("1 pods");
  },
  [watchGone({ afterEvents: 1 })],
);
