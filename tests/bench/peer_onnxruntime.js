// node peer_onnxruntime.js MODULES FILE THREADS: says "ready", then the milliseconds of one pass for every line that it reads.
const [modules, file, threads] = process.argv.slice(2);
const ort = require(modules + '/onnxruntime-node');

async function serve() {
    const session = await ort.InferenceSession.create(
        file, {intraOpNumThreads: Number(threads), interOpNumThreads: 1, executionMode: 'sequential', graphOptimizationLevel: 'all'});
    const image = new ort.Tensor('float32', Float32Array.from({length: 3 * 224 * 224}, (_, i) => Math.sin(0.37 * (i % 9973))), [1, 3, 224, 224]);
    for (let i = 0; i < 3; ++i) await session.run({image});
    console.log('ready');
    for await (const _ of require('readline').createInterface({input: process.stdin})) {
        const start = process.hrtime.bigint();
        await session.run({image});
        console.log(Number(process.hrtime.bigint() - start) / 1e6);
    }
}

serve();
