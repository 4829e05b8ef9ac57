/** The thread of all actors, started by `main.ts`. */
import { parentPort, workerData, type MessagePort } from "node:worker_threads";
import { Port, type Call } from "./port.ts";

const port = new Port(workerData as MessagePort, (answer) => parentPort?.postMessage(answer));
parentPort?.on("message", (call: Call) => void port.take(call));
