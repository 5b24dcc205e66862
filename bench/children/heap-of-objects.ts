import { InProcess, pods } from "../in-process.ts";
import { heapUsed, serveMessages } from "./serve-messages.ts";

const count = Number(process.argv[2]);
const inProcess = await InProcess.ready();
await inProcess.fill(1);
const [name = ""] = JSON.parse(await inProcess.read(pods)).items.map(
  (item: { metadata: { name: string } }) => item.metadata.name,
);
const text = await inProcess.read(`${pods}/${name}`);
const before = heapUsed();
const objects: unknown[] = [];
while (objects.length < count)
  objects.push(
    JSON.parse(text.replace(name, `${name.slice(0, -6)}${String(objects.length).padStart(6, "0")}`)),
  );
serveMessages({ heap: () => (objects.length === count ? heapUsed() - before : 0) });
