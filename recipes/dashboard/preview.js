// Does what Storybook does for a story: starts its handlers, renders it, runs its play function. The page shows the outcome.
import { setupWorker } from "msw/browser";
import * as stories from "./dashboard.stories.js";

const { default: component, ...named } = stories;
const wanted = named[new URLSearchParams(location.search).get("story")];

if (wanted === undefined) {
  for (const name of Object.keys(named)) {
    const link = document.createElement("a");
    link.textContent = name;
    link.href = `?story=${name}`;
    document.body.append(link, " ");
  }
} else {
  const worker = setupWorker(...wanted.parameters.msw.handlers);
  await worker.start({ onUnhandledRequest: "bypass", quiet: true });
  const { signal: abortSignal } = new AbortController();
  const canvasElement = document.createElement("div");
  canvasElement.append(component.render({}, { abortSignal }));
  document.body.append(canvasElement);
  const outcome = await wanted.play({ canvasElement }).then(
    () => "passed",
    (error) => String(error.stack),
  );
  document.body.dataset.outcome = outcome;
}
