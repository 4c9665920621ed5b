# What follows the lines of the guide in an application that counts and measures until it is ended.
import signal
import time

from opentelemetry.metrics import get_meter_provider

meter = get_meter_provider().get_meter("checkout")
orders = meter.create_counter("orders")
latency = meter.create_histogram("checkout.duration", unit="ms")
running = True


def end(*_):
    global running
    running = False


signal.signal(signal.SIGTERM, end)
while running:
    orders.add(2, {"payment": "card"})
    latency.record(20)
    time.sleep(0.1)
get_meter_provider().shutdown()
