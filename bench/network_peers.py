"""The peer of bench/network.cpp: Opacus, seconds for one epoch of DP-SGD on the same network and as many examples: 100 steps.

Poisson samples of the same expected size, gradients clipped to norm 1 over both layers, float32 on the processor; "opacus ghost" is its
clipping without gradients per example. Times are of one step each, the least of several, times the steps of an epoch. Needs torch and opacus.
"""
import json
import os
import sys
import time
import warnings

BATCH, EXAMPLES, STEPS_OF_AN_EPOCH = 600, 12_000, 100


def least_step(model, optimizer, criterion, loader, steps):
    least, began = float("inf"), None
    for number, (x, y) in enumerate(loader):
        if began is not None:
            least = min(least, time.perf_counter() - began)
        if number == steps:
            return least
        began = time.perf_counter()
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()
    return least


def main():
    warnings.filterwarnings("ignore")
    import opacus
    import torch

    torch.set_num_threads(int(os.environ.get("OMP_NUM_THREADS", os.cpu_count())))
    torch.manual_seed(1)
    x = torch.rand(EXAMPLES, 784) * (torch.rand(EXAMPLES, 784) < 0.2)
    data = torch.utils.data.TensorDataset(x, torch.randint(10, (EXAMPLES,)))
    for who, mode in (("opacus", "hooks"), ("opacus ghost", "ghost")):
        model = torch.nn.Sequential(torch.nn.Linear(784, 1000), torch.nn.ReLU(), torch.nn.Linear(1000, 10))
        made = opacus.PrivacyEngine(accountant="rdp").make_private(
            module=model, optimizer=torch.optim.SGD(model.parameters(), lr=0.1), criterion=torch.nn.CrossEntropyLoss(),
            data_loader=torch.utils.data.DataLoader(data, batch_size=BATCH), noise_multiplier=1.0, max_grad_norm=1.0,
            grad_sample_mode=mode)
        model, optimizer, *criterion, loader = made
        seconds = least_step(model, optimizer, criterion[0] if criterion else torch.nn.CrossEntropyLoss(), loader,
                             2 if "--quick" in sys.argv else 12)
        print(json.dumps({"bench": "network-epoch", "who": who, "seconds": seconds * STEPS_OF_AN_EPOCH, "unit": "epoch",
                          "version": opacus.__version__}), flush=True)


if __name__ == "__main__":
    main()
